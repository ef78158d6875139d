"""Databases of earlier programs and earlier rules, brought up to date."""
