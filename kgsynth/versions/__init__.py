"""Versions of golden sets: what changed from one to another, and several made into one."""
