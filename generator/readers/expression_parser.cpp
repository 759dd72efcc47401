#include "readers/expression_parser.hpp"

#include <fmt/format.h>

#include <array>
#include <utility>

#include "readers/functions.hpp"
#include "readers/units.hpp"
#include "support/did_you_mean.hpp"
#include "support/number_text.hpp"

namespace mechfmu {

namespace {

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_comparison(const Expression& e) {
  return e.kind == Expression::Kind::binary &&
         (e.text[0] == '<' || e.text[0] == '>' || e.text[0] == '=' || e.text[0] == '!');
}

class Parser {
 public:
  Parser(const ValueText& value, std::size_t from, std::size_t to, std::string_view subject,
         Diagnostics& diagnostics)
      : value_(value),
        text_(std::string_view(value.text).substr(0, to)),
        position_(from),
        subject_(subject),
        diagnostics_(diagnostics) {}

  std::optional<ParsedPrefix> parse() {
    if (text_.size() - position_ > kMaxExpressionLength) {
      fail("E407", position_, text_.size(),
           fmt::format("the expression has {} characters, the limit is {}",
                       text_.size() - position_, kMaxExpressionLength),
           "split it with parameters");
      return std::nullopt;
    }
    Expression result = parse_sum();
    if (!failed_) refuse_comparison_here();
    if (failed_) return std::nullopt;
    return ParsedPrefix{std::move(result), position_};
  }

 private:
  // Condition of if(): a comparison of two sums, possibly in parentheses.
  Expression parse_condition() {
    Expression left = parse_sum(true);
    if (failed_ || is_comparison(left)) return left;
    const std::size_t at = skip_blanks();
    const std::string_view op = find_comparison(at);
    if (op.empty()) {
      fail("E412", index_of(left.span.begin), position_,
           "the condition of if() must be a comparison", "for example if(x > 0, a, b)");
      return left;
    }
    position_ = at + op.size();
    Expression right = parse_sum();
    if (failed_) return left;
    if (const std::size_t next = skip_blanks(); !find_comparison(next).empty())
      fail("E412", next, next + find_comparison(next).size(), "comparisons cannot be chained",
           "use if() inside if() for a second condition");
    return make_binary(op, std::move(left), std::move(right));
  }

  Expression parse_sum(bool condition_allowed = false) {
    Expression left = parse_product(condition_allowed);
    while (!failed_) {
      const std::size_t at = skip_blanks();
      if (at >= text_.size() || (text_[at] != '+' && text_[at] != '-')) break;
      if (is_comparison(left)) return refuse_comparison(std::move(left));
      position_ = at + 1;
      Expression right = parse_product(false);
      if (!failed_) left = make_binary(text_.substr(at, 1), std::move(left), std::move(right));
    }
    return left;
  }

  Expression parse_product(bool condition_allowed) {
    Expression left = parse_signed(condition_allowed);
    while (!failed_) {
      const std::size_t at = skip_blanks();
      if (at >= text_.size() || (text_[at] != '*' && text_[at] != '/')) break;
      if (is_comparison(left)) return refuse_comparison(std::move(left));
      if (text_.substr(at, 2) == "**") {
        fail("E401", at, at + 2, "'**' is not an operator", "a power is written a^b");
        break;
      }
      position_ = at + 1;
      Expression right = parse_signed(false);
      if (!failed_) left = make_binary(text_.substr(at, 1), std::move(left), std::move(right));
    }
    return left;
  }

  Expression parse_signed(bool condition_allowed) {
    const std::size_t at = skip_blanks();
    if (at >= text_.size() || (text_[at] != '-' && text_[at] != '+'))
      return parse_power(condition_allowed);
    if (!enter(at)) return {};
    position_ = at + 1;
    Expression operand = parse_signed(false);
    --nesting_;
    if (failed_ || text_[at] == '+') return operand;
    Expression result;
    result.kind = Expression::Kind::negate;
    result.span = {value_.offset_of(at), operand.span.end};
    result.arguments.push_back(std::move(operand));
    return count(std::move(result));
  }

  Expression parse_power(bool condition_allowed) {
    Expression base = parse_primary(condition_allowed);
    if (failed_) return base;
    const std::size_t at = skip_blanks();
    if (at >= text_.size() || text_[at] != '^') return base;
    if (is_comparison(base)) return refuse_comparison(std::move(base));
    if (!enter(at)) return base;
    position_ = at + 1;
    Expression exponent = parse_signed(false);
    --nesting_;
    if (failed_) return base;
    return make_binary("^", std::move(base), std::move(exponent));
  }

  Expression parse_primary(bool condition_allowed) {
    const std::size_t at = skip_blanks();
    if (at >= text_.size()) return fail_expected(at);
    const char c = text_[at];
    if (is_digit(c) || c == '.') return parse_literal(at);
    if (is_letter(c)) return parse_name_or_call(at);
    if (c != '(') return fail_expected(at);

    if (!enter(at)) return {};
    position_ = at + 1;
    Expression inner = parse_sum(condition_allowed);
    if (!failed_ && condition_allowed && !is_comparison(inner)) {
      // "(a < b)" as the whole condition
      const std::size_t next = skip_blanks();
      if (const std::string_view op = find_comparison(next); !op.empty()) {
        position_ = next + op.size();
        Expression right = parse_sum();
        if (!failed_) inner = make_binary(op, std::move(inner), std::move(right));
      }
    }
    --nesting_;
    expect_closing(at);
    inner.span = {value_.offset_of(at), value_.offset_of(position_)};
    return inner;
  }

  Expression parse_literal(std::size_t at) {
    const NumberPrefix number = find_number_prefix(text_.substr(at));
    if (number.length == 0) return fail_expected(at);
    std::size_t end = at + number.length;
    const std::string literal(text_.substr(at, number.length));
    if (number.out_of_range)
      return fail("E402", at, end,
                  fmt::format("the number {} is outside the range of a double", literal),
                  "numbers go from 2.3e-308 to 1.7e+308");
    if (end < text_.size() && (is_letter(text_[end]) || is_digit(text_[end]) || text_[end] == '.'))
      return fail_glued(at, end);
    position_ = end;
    return count(Expression::number(number.value, value_.part(at, end)));
  }

  // "12mm", "2crank", "1.2.3"
  Expression fail_glued(std::size_t at, std::size_t end) {
    std::size_t word_end = end;
    while (word_end < text_.size() &&
           (is_letter(text_[word_end]) || is_digit(text_[word_end]) || text_[word_end] == '.'))
      ++word_end;
    const std::string number(text_.substr(at, end - at));
    const std::string word(text_.substr(end, word_end - end));
    if (find_unit(word) && is_letter(word[0]))
      return fail("E403", end, word_end,
                  fmt::format("a blank is needed between {} and the unit '{}'", number, word),
                  fmt::format("write '{} {}'", number, word));
    if (is_letter(word[0]))
      return fail("E402", at, word_end, fmt::format("'{}{}' is not a number", number, word),
                  fmt::format("for a product write {}*{}", number, word));
    return fail("E402", at, word_end, fmt::format("'{}{}' is not a number", number, word),
                "a number looks like 12, 0.5 or 1.5e-3");
  }

  Expression parse_name_or_call(std::size_t at) {
    std::size_t end = at;
    while (end < text_.size()) {
      if (is_letter(text_[end]) || (is_digit(text_[end]) && end > at)) {
        ++end;
      } else if (text_[end] == '.' && end + 1 < text_.size() && is_letter(text_[end + 1])) {
        ++end;
      } else {
        break;
      }
    }
    position_ = end;
    if (end < text_.size() && text_[end] == '(') return parse_call(at, end);
    if (end < text_.size() && text_[end] == '.')
      return fail("E401", end, end + 1,
                  fmt::format("a name must follow the '.' of '{}.'", text_.substr(at, end - at)));
    if (end < text_.size() && text_[end] == '[') {
      std::size_t digits = end + 1;
      while (digits < text_.size() && is_digit(text_[digits])) ++digits;
      if (digits == end + 1 || digits >= text_.size() || text_[digits] != ']')
        return fail("E401", end, std::min(digits + 1, text_.size()),
                    "an index is one whole number in brackets", "for example D.force[1]");
      position_ = end = digits + 1;
    }
    Expression result;
    result.kind = Expression::Kind::name;
    result.text = std::string(text_.substr(at, end - at));
    result.span = value_.part(at, end);
    return count(std::move(result));
  }

  Expression parse_call(std::size_t at, std::size_t open) {
    const std::string name(text_.substr(at, open - at));
    const FunctionType* function = find_function_type(name);
    // a plain name may be that of a table, which is not known here
    if (function == nullptr && name.find('.') != std::string::npos)
      return fail("E410", at, open, fmt::format("there is no function '{}'", name),
                  "an index is written in brackets: D.force[1]");
    if (!enter(at)) return {};
    Expression result;
    result.kind = Expression::Kind::call;
    result.text = name;
    position_ = open + 1;
    if (const std::size_t next = skip_blanks(); next >= text_.size() || text_[next] != ')') {
      while (!failed_) {
        const bool condition = name == "if" && result.arguments.empty();
        result.arguments.push_back(condition ? parse_condition() : parse_sum());
        const std::size_t comma = skip_blanks();
        if (failed_ || comma >= text_.size() || text_[comma] != ',') break;
        position_ = comma + 1;
      }
    }
    --nesting_;
    expect_closing(open);
    if (failed_) return result;
    result.span = value_.part(at, position_);
    const auto given = static_cast<int>(result.arguments.size());
    if (function == nullptr) return count(std::move(result));
    if (given < function->least || (function->most >= 0 && given > function->most)) {
      const std::string wanted = function->most == function->least
                                     ? std::to_string(function->least)
                                     : "at least " + std::to_string(function->least);
      fail("E411", at, position_,
           fmt::format("{}() takes {} argument{}, got {}", name, wanted,
                       function->least == 1 ? "" : "s", given),
           fmt::format("{}: {}", name, function->help));
    }
    const auto is_der = [](const Expression& e) {
      return e.kind == Expression::Kind::call && e.text == "der" &&
             e.arguments[0].kind == Expression::Kind::name;
    };
    if (!failed_ && name == "der" && result.arguments[0].kind != Expression::Kind::name &&
        !is_der(result.arguments[0]))
      fail("E417", at, position_, "der() takes the name of a coordinate", "for example der(x)");
    return count(std::move(result));
  }

  void expect_closing(std::size_t open) {
    if (failed_) return;
    const std::size_t at = skip_blanks();
    if (at < text_.size() && text_[at] == ')') {
      position_ = at + 1;
      return;
    }
    refuse_comparison_here();
    if (failed_) return;
    if (at >= text_.size())
      fail("E401", open, open + 1, "this '(' is never closed", "add the missing ')'");
    else
      fail("E401", at, at + character_length(at),
           fmt::format("expected an operator, ',' or ')', found '{}'", character(at)));
  }

  Expression fail_expected(std::size_t at) {
    if (at >= text_.size()) {
      const std::size_t shown = at > 0 ? at - 1 : 0;
      return fail("E401", shown, at, "the expression ends where a number or a name is expected");
    }
    return fail("E401", at, at + character_length(at),
                fmt::format("expected a number or a name, found '{}'", character(at)));
  }

  Expression refuse_comparison(Expression comparison) {
    fail("E412", index_of(comparison.span.begin), index_of(comparison.span.end),
         "a comparison is not a number", "use it in if(condition, a, b)");
    return comparison;
  }
  void refuse_comparison_here() {
    const std::size_t at = skip_blanks();
    const std::string_view op = find_comparison(at);
    if (op.empty()) {
      if (at < text_.size() && text_[at] == '=')
        fail("E401", at, at + 1, "'=' is not an operator", "to compare, write == inside if()");
      return;
    }
    fail("E412", at, at + op.size(), "a comparison is not a number",
         "use it in if(condition, a, b)");
  }

  std::string_view find_comparison(std::size_t at) const {
    if (at >= text_.size()) return {};
    for (const std::string_view op : {"<=", ">=", "==", "!=", "<", ">"})
      if (text_.substr(at, op.size()) == op) return text_.substr(at, op.size());
    return {};
  }

  Expression make_binary(std::string_view op, Expression left, Expression right) {
    Expression result;
    result.kind = Expression::Kind::binary;
    result.text = std::string(op);
    result.span = {left.span.begin, right.span.end};
    result.arguments.push_back(std::move(left));
    result.arguments.push_back(std::move(right));
    return count(std::move(result));
  }

  Expression count(Expression expression) {
    if (++nodes_ > kMaxExpressionNodes && !failed_)
      fail("E407", 0, text_.size(),
           fmt::format("the expression has more than {} numbers, names and operators",
                       kMaxExpressionNodes),
           "split it with parameters");
    return expression;
  }

  bool enter(std::size_t at) {
    if (++nesting_ <= kMaxExpressionNesting) return true;
    fail("E407", at, at + 1,
         fmt::format("the expression is nested deeper than {} levels", kMaxExpressionNesting),
         "split it with parameters");
    return false;
  }

  Expression fail(std::string_view code, std::size_t from, std::size_t to,
                  const std::string& message, std::string hint = {}) {
    if (!failed_)
      diagnostics_.error(std::string(code), value_.part(from, to),
                         fmt::format("{}: {}", subject_, message), std::move(hint));
    failed_ = true;
    return {};
  }

  std::size_t skip_blanks() const {
    std::size_t at = position_;
    while (at < text_.size() && is_blank(text_[at])) ++at;
    return at;
  }
  // Place in the file back to index in the text; only for error messages.
  std::size_t index_of(std::size_t offset) const {
    std::size_t index = 0;
    while (index < text_.size() && value_.offset_of(index) < offset) ++index;
    return index;
  }
  std::size_t character_length(std::size_t at) const {
    std::size_t length = 1;
    while (at + length < text_.size() &&
           (static_cast<unsigned char>(text_[at + length]) & 0xC0U) == 0x80U)
      ++length;
    return length;
  }
  std::string_view character(std::size_t at) const {
    return text_.substr(at, character_length(at));
  }

  const ValueText& value_;
  std::string_view text_;
  std::size_t position_;
  std::string_view subject_;
  Diagnostics& diagnostics_;
  int nesting_ = 0;
  int nodes_ = 0;
  bool failed_ = false;
};

}  // namespace

std::optional<ParsedPrefix> parse_expression_prefix(const ValueText& value, std::size_t from,
                                                    std::size_t to, std::string_view subject,
                                                    Diagnostics& diagnostics) {
  return Parser(value, from, to, subject, diagnostics).parse();
}

std::optional<Expression> parse_expression(const ValueText& value, std::string_view subject,
                                           Diagnostics& diagnostics) {
  std::optional<ParsedPrefix> prefix =
      parse_expression_prefix(value, 0, value.text.size(), subject, diagnostics);
  if (!prefix) return std::nullopt;
  std::size_t end = prefix->end;
  while (end < value.text.size() && is_blank(value.text[end])) ++end;
  if (end < value.text.size()) {
    diagnostics.error(
        "E401", value.part(end, value.text.size()),
        fmt::format("{}: expected an operator, found '{}'", subject, value.text.substr(end, 20)));
    return std::nullopt;
  }
  return std::move(prefix->expression);
}

}  // namespace mechfmu
