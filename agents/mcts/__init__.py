"""Search for every game, written once: no engine and no heuristic is imported, both are handed over.

In reading order: ``work`` (what a search remembers, and its settings), ``tree`` (nodes, selection, expansion,
backup), ``policies`` (fast players inside a search), ``playout`` (from a position to win shares), ``leaf`` (win
shares from features), ``search`` (open-loop UCT), ``candidates``, ``flat`` (flat Monte Carlo),
``expectimax``; ``sample`` (positions to fit a leaf on); ``kinds`` names them by text.
"""
