// The schema of modelDescription.xml (FMI 2.0) as tables, in our own form.
#include <limits>

#include "harness/validate/schema_rules.hpp"

namespace mechfmu::fmu_check {
namespace {

constexpr std::size_t kAny = std::numeric_limits<std::size_t>::max();
using enum ValueType;

PlaceSchema optional(std::string_view name, const ElementSchema& element) {
  return {{{name, &element}}, 0, 1, true};
}
PlaceSchema required(std::string_view name, const ElementSchema& element) {
  return {{{name, &element}}, 1, 1, true};
}
PlaceSchema list(std::string_view name, const ElementSchema& element, std::size_t least = 1) {
  return {{{name, &element}}, least, kAny, false};
}

std::vector<AttributeSchema> operator+(std::vector<AttributeSchema> a,
                                       const std::vector<AttributeSchema>& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

const std::vector<AttributeSchema> kRealAttributes = {
    {"quantity"},  {"unit"},      {"displayUnit"},   {"relativeQuantity", boolean},
    {"min", real}, {"max", real}, {"nominal", real}, {"unbounded", boolean}};
const std::vector<AttributeSchema> kIntegerAttributes = {
    {"quantity"}, {"min", whole}, {"max", whole}};

const ElementSchema kAnnotationTool = {{{"name", text, true}}, {}, true};
const ElementSchema kAnnotations = {{}, {list("Tool", kAnnotationTool)}};

const ElementSchema kFile = {{{"name", text, true}}, {}};
const ElementSchema kSourceFiles = {{}, {list("File", kFile)}};
const std::vector<AttributeSchema> kInterfaceAttributes = {
    {"modelIdentifier", text, true},
    {"needsExecutionTool", boolean},
    {"canBeInstantiatedOnlyOncePerProcess", boolean},
    {"canNotUseMemoryManagementFunctions", boolean},
    {"canGetAndSetFMUstate", boolean},
    {"canSerializeFMUstate", boolean},
    {"providesDirectionalDerivative", boolean}};
const ElementSchema kModelExchange = {
    kInterfaceAttributes +
        std::vector<AttributeSchema>{{"completedIntegratorStepNotNeeded", boolean}},
    {optional("SourceFiles", kSourceFiles)}};
const ElementSchema kCoSimulation = {
    kInterfaceAttributes +
        std::vector<AttributeSchema>{{"canHandleVariableCommunicationStepSize", boolean},
                                     {"canInterpolateInputs", boolean},
                                     {"maxOutputDerivativeOrder", count},
                                     {"canRunAsynchronuously", boolean}},
    {optional("SourceFiles", kSourceFiles)}};

const ElementSchema kBaseUnit = {{{"kg", whole},
                                  {"m", whole},
                                  {"s", whole},
                                  {"A", whole},
                                  {"K", whole},
                                  {"mol", whole},
                                  {"cd", whole},
                                  {"rad", whole},
                                  {"factor", real},
                                  {"offset", real}},
                                 {}};
const ElementSchema kDisplayUnit = {{{"name", text, true}, {"factor", real}, {"offset", real}}, {}};
const ElementSchema kUnit = {
    {{"name", text, true}},
    {optional("BaseUnit", kBaseUnit), list("DisplayUnit", kDisplayUnit, 0)}};
const ElementSchema kUnitDefinitions = {{}, {list("Unit", kUnit)}};

const ElementSchema kItem = {{{"name", text, true}, {"value", whole, true}, {"description"}}, {}};
const ElementSchema kRealType = {kRealAttributes, {}};
const ElementSchema kIntegerType = {kIntegerAttributes, {}};
const ElementSchema kPlainType = {{}, {}};
const ElementSchema kEnumerationType = {{{"quantity"}}, {list("Item", kItem)}};
const ElementSchema kSimpleType = {{{"name", text, true}, {"description"}},
                                   {{{{"Real", &kRealType},
                                      {"Integer", &kIntegerType},
                                      {"Boolean", &kPlainType},
                                      {"String", &kPlainType},
                                      {"Enumeration", &kEnumerationType}},
                                     1,
                                     1,
                                     true}}};
const ElementSchema kTypeDefinitions = {{}, {list("SimpleType", kSimpleType)}};

const ElementSchema kCategory = {{{"name", text, true}, {"description"}}, {}};
const ElementSchema kLogCategories = {{}, {list("Category", kCategory)}};
const ElementSchema kDefaultExperiment = {
    {{"startTime", real}, {"stopTime", real}, {"tolerance", real}, {"stepSize", real}}, {}};

const std::vector<AttributeSchema> kDeclaredType = {{"declaredType"}};
const ElementSchema kReal = {
    kDeclaredType + kRealAttributes +
        std::vector<AttributeSchema>{{"start", real}, {"derivative", count}, {"reinit", boolean}},
    {}};
const ElementSchema kInteger = {
    kDeclaredType + kIntegerAttributes + std::vector<AttributeSchema>{{"start", whole}}, {}};
const ElementSchema kBoolean = {kDeclaredType + std::vector<AttributeSchema>{{"start", boolean}},
                                {}};
const ElementSchema kString = {kDeclaredType + std::vector<AttributeSchema>{{"start"}}, {}};
const ElementSchema kEnumeration = {std::vector<AttributeSchema>{{"declaredType", text, true}} +
                                        kIntegerAttributes +
                                        std::vector<AttributeSchema>{{"start", whole}},
                                    {}};
const ElementSchema kScalarVariable = {
    {{"name", text, true},
     {"valueReference", count, true},
     {"description"},
     {"causality", word, false, "parameter calculatedParameter input output local independent"},
     {"variability", word, false, "constant fixed tunable discrete continuous"},
     {"initial", word, false, "exact approx calculated"},
     {"canHandleMultipleSetPerTimeInstant", boolean}},
    {{{{"Real", &kReal},
       {"Integer", &kInteger},
       {"Boolean", &kBoolean},
       {"String", &kString},
       {"Enumeration", &kEnumeration}},
      1,
      1,
      true},
     optional("Annotations", kAnnotations)}};
const ElementSchema kModelVariables = {{}, {list("ScalarVariable", kScalarVariable)}};

const ElementSchema kUnknown = {
    {{"index", count, true},
     {"dependencies", count_list},
     {"dependenciesKind", word_list, false, "dependent constant fixed tunable discrete"}},
    {}};
const ElementSchema kUnknowns = {{}, {list("Unknown", kUnknown)}};
const ElementSchema kModelStructure = {
    {},
    {optional("Outputs", kUnknowns), optional("Derivatives", kUnknowns),
     optional("InitialUnknowns", kUnknowns)}};

const ElementSchema kRoot = {
    {{"fmiVersion", text, true},
     {"modelName", text, true},
     {"guid", text, true},
     {"description"},
     {"author"},
     {"version"},
     {"copyright"},
     {"license"},
     {"generationTool"},
     {"generationDateAndTime", date},
     {"variableNamingConvention", word, false, "flat structured"},
     {"numberOfEventIndicators", count}},
    {{{{"ModelExchange", &kModelExchange}, {"CoSimulation", &kCoSimulation}}, 1, 2, true},
     optional("UnitDefinitions", kUnitDefinitions),
     optional("TypeDefinitions", kTypeDefinitions),
     optional("LogCategories", kLogCategories),
     optional("DefaultExperiment", kDefaultExperiment),
     optional("VendorAnnotations", kAnnotations),
     required("ModelVariables", kModelVariables),
     required("ModelStructure", kModelStructure)}};

}  // namespace

const ElementSchema& root_schema() { return kRoot; }

}  // namespace mechfmu::fmu_check
