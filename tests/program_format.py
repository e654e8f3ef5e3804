# lit's shell tests; a file without RUN lines is a program that checks itself. What `%level` stands
# for in its commands is one of the configuration's levels of processor, by turns.
import lit.formats


class ProgramFormat(lit.formats.ShTest):
    def execute(self, test, lit_config):
        with open(test.getSourcePath(), "rb") as file:
            has_script = b"RUN:" in file.read()
        levels = test.config.program_levels
        level = levels[sum(test.path_in_suite[-1].encode()) % len(levels)]
        self.preamble_commands = [] if has_script else [
            command.replace("%level", level) for command in test.config.program_commands]
        return super().execute(test, lit_config)
