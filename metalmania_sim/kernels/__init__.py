"""The compiled rules of Metal Mania, one noun of the rulebook a module.

They become part of those that call them, all but the ones marked ``inline=False``: what only other readings of the
rules or rare moments need.  Its copies made a seventh of all compiling and games no faster.
"""
