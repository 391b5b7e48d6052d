"""The compiled rules of Metal Mania, one noun of the rulebook a module."""
