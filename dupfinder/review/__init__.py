"""What the reviewer decides: radius, filters, marks, keepers, rules, and every sentence for people. No Qt."""
