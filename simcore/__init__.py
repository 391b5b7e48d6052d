"""What every game of this library shares: compiling, random streams, the protocol, the play loop.

Nothing here knows a game or an agent.
"""
