#!/usr/bin/env python3
"""Ends before anything is said."""
