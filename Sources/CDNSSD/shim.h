#pragma once
#include <dns_sd.h>
