/* FMI 2.0: scalar types of the platform "default". Names, types and values are fixed by the
 * standard; this file was written from its published API so that mechfmu builds without the
 * official headers (-DMECHFMU_FMI_HEADERS=DIR takes those instead). Valid C and C++. */
#ifndef fmi2TypesPlatform_h
#define fmi2TypesPlatform_h

#define fmi2TypesPlatform "default"

typedef void* fmi2Component;            /* the FMU's handle of one instance */
typedef void* fmi2ComponentEnvironment; /* the host's handle, handed back to its callbacks */
typedef void* fmi2FMUstate;             /* the FMU's handle of one saved state */
typedef unsigned int fmi2ValueReference;
typedef double fmi2Real;
typedef int fmi2Integer;
typedef int fmi2Boolean; /* fmi2True or fmi2False */
typedef char fmi2Char;
typedef const fmi2Char* fmi2String; /* UTF-8, ends with NUL */
typedef char fmi2Byte;

#define fmi2True 1
#define fmi2False 0

#endif
