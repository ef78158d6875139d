"""Runs: started, followed, judged, remembered, and given as results."""
