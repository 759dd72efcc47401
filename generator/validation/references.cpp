// The rule resolve_references: names of bodies, frames and joints become indices.
#include <fmt/format.h>

#include "support/did_you_mean.hpp"
#include "validation/rules.hpp"

namespace mechfmu {

namespace {

std::vector<std::string_view> frame_names(const std::vector<Frame>& frames) {
  std::vector<std::string_view> names;
  for (const Frame& frame : frames) names.push_back(frame.name.text);
  return names;
}

// A dotted name whose part after the dot is unknown: underline that part alone.
Span part_after_dot(const Name& name, std::size_t dot) {
  const std::size_t length = name.span.end - name.span.begin;
  if (length != name.text.size()) return name.span;  // blanks or entities in the file
  return {name.span.begin + dot + 1, name.span.end};
}

void resolve(FrameReference& reference, const std::string& subject, RuleContext& context) {
  const Mechanism& m = context.mechanism;
  const std::string& text = reference.name.text;
  reference.body = kUnresolved;
  if (text.empty()) return;  // missing, as reported
  const std::size_t dot = text.find('.');
  const std::string body = text.substr(0, dot);
  const std::vector<Frame>* frames = &m.ground_frames;
  int index = kGround;
  if (body != "ground") {
    const auto it = context.names.find(body);
    if (it == context.names.end() || it->second.kind != NamedThing::Kind::body) {
      std::vector<std::string_view> known = {"ground"};
      for (const Body& b : m.bodies) known.push_back(b.name.text);
      context.diagnostics.error("E211", reference.name.span,
                                it == context.names.end()
                                    ? fmt::format("{}: there is no body '{}'", subject, body)
                                    : fmt::format("{}: '{}' is a {}, not a body", subject, body,
                                                  kind_word(it->second.kind)),
                                did_you_mean(body, known, "bodies"));
      return;
    }
    index = static_cast<int>(it->second.index);
    frames = &m.bodies[it->second.index].frames;
  }
  if (dot == std::string::npos) {
    reference.body = index;
    return;
  }
  const std::string frame = text.substr(dot + 1);
  const std::vector<std::string_view> known = frame_names(*frames);
  for (std::size_t i = 0; i < known.size(); ++i) {
    if (known[i] != frame) continue;
    reference.body = index;
    reference.frame = static_cast<int>(i);
    return;
  }
  context.diagnostics.error(
      "E211", part_after_dot(reference.name, dot),
      fmt::format("{}: {} has no frame '{}'", subject,
                  index == kGround ? "ground" : fmt::format("body '{}'", body), frame),
      known.empty() ? fmt::format("it has no frames; its origin is called '{}'", body)
                    : did_you_mean(frame, known, "frames"));
}

void resolve_joint(Argument& argument, const std::string& subject, RuleContext& context) {
  if (argument.text.empty()) return;
  const auto it = context.names.find(argument.text);
  if (it != context.names.end() && it->second.kind == NamedThing::Kind::joint) {
    argument.joint = static_cast<int>(it->second.index);
    return;
  }
  std::vector<std::string_view> known;
  for (const Joint& joint : context.mechanism.joints) known.push_back(joint.name.text);
  context.diagnostics.error("E212", argument.span,
                            it == context.names.end()
                                ? fmt::format("{}: there is no joint '{}'", subject, argument.text)
                                : fmt::format("{}: '{}' is a {}, not a joint", subject,
                                              argument.text, kind_word(it->second.kind)),
                            did_you_mean(argument.text, known, "joints"));
}

void resolve_arguments(Arguments& arguments, const std::string& label, RuleContext& context) {
  for (Argument& argument : arguments.list) {
    const std::string subject = fmt::format("{}: {}", label, argument.attribute->name);
    if (argument.attribute->kind == AttributeKind::frame) resolve(argument.frame, subject, context);
    if (argument.attribute->kind == AttributeKind::joint) resolve_joint(argument, subject, context);
  }
}

}  // namespace

void resolve_references(RuleContext& context) {
  for (Joint& joint : context.mechanism.joints) {
    const std::string label = fmt::format("joint '{}'", joint.name.text);
    resolve_arguments(joint.arguments, label, context);
    joint.parent.body = joint.child.body = kUnresolved;
    if (const Argument* parent = joint.arguments.find("parent")) joint.parent = parent->frame;
    if (const Argument* child = joint.arguments.find("child")) joint.child = child->frame;
  }
  for (Drive& drive : context.mechanism.drives)
    resolve_arguments(drive.arguments, fmt::format("drive '{}'", drive.name.text), context);
  for (Force& force : context.mechanism.forces)
    resolve_arguments(force.arguments, fmt::format("force '{}'", force.name.text), context);
}

}  // namespace mechfmu
