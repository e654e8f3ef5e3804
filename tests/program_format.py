# lit's shell tests; a file without RUN lines is a program that checks itself.
import lit.formats


class ProgramFormat(lit.formats.ShTest):
    def execute(self, test, lit_config):
        with open(test.getSourcePath(), "rb") as file:
            has_script = b"RUN:" in file.read()
        self.preamble_commands = [] if has_script else test.config.program_commands
        return super().execute(test, lit_config)
