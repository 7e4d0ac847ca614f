import GRDB
import Logging
