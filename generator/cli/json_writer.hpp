// Moved: files in an FMU are JSON, too.
#pragma once
#include "support/json_writer.hpp"
