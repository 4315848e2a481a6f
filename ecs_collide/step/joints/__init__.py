"""Joints: the joint graph, its trees and loops, the kinds of joints, and their solver."""
