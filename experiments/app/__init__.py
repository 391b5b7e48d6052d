"""The dashboard (extra ``app``): a page on this machine to filter stored runs, compare them and open replays."""
