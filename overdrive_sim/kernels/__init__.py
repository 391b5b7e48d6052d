"""The compiled rules of Overdrive, one noun of the rulebook a module."""
