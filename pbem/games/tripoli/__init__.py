"""What shows The Shores of Tripoli: the chart for its picture."""
