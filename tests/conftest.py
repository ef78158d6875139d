"""What holds for all tests: no property fails because the machine is slow."""

from hypothesis import settings

settings.register_profile("patient", deadline=None)
settings.load_profile("patient")
