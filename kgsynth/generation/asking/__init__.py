"""Have a language model write questions about scenes, prove their answers by quotes, and judge each in other calls."""
