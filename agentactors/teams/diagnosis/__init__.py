"""Offline diagnosis of failed package builds: from a raw log to stage, cause, culprit, evidence and fix.

Pure Python and numpy, no network, no model, no Ray: the agents of the diagnosis team call these modules, and
so may anybody else. The way through is ``source`` → ``scan`` → ``knowledge`` → ``conclude`` → ``verify`` →
``report``; each step is a plain function of what the step before returned.
"""
