#!/usr/bin/env python3
"""Tries to reach a server of this machine; tells on standard error what came of it."""
import os
import socket
import sys

from polite import Polite

try:
    socket.create_connection(("127.0.0.1", int(os.environ["TEST_PORT"])), 1)
    sys.stderr.write("reached the network\n")
except OSError:
    pass
Polite().run()
