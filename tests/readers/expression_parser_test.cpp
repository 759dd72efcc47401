// The expression language: precedence, places, limits, values.
#include "readers/expression_parser.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <string>

#include "readers/functions.hpp"
#include "support/number_text.hpp"

namespace mechfmu {
namespace {

ValueText make_text(const std::string& text) { return {text, {0, text.size()}, {}}; }

std::optional<Expression> parse(const std::string& text) {
  Diagnostics diagnostics;
  return parse_expression(make_text(text), "x", diagnostics);
}

// The tree with every operation in brackets.
std::string print(const Expression& e) {
  switch (e.kind) {
    case Expression::Kind::number:
      return number_text(e.value);
    case Expression::Kind::name:
      return e.text;
    case Expression::Kind::negate:
      return fmt::format("(-{})", print(e.arguments[0]));
    case Expression::Kind::binary:
      return fmt::format("({}{}{})", print(e.arguments[0]), e.text, print(e.arguments[1]));
    case Expression::Kind::call:
      break;
  }
  std::string text = e.text + "(";
  for (std::size_t i = 0; i < e.arguments.size(); ++i) {
    std::string argument = print(e.arguments[i]);
    // a comparison stands without brackets of its own
    if (e.text == "if" && i == 0) argument = argument.substr(1, argument.size() - 2);
    text += fmt::format("{}{}", i == 0 ? "" : ",", argument);
  }
  return text + ")";
}

std::string tree(const std::string& text) {
  const std::optional<Expression> e = parse(text);
  return e ? print(*e) : "error";
}

double value(const std::string& text) {
  const std::optional<Expression> e = parse(text);
  return e ? evaluate(*e, [](std::string_view name) { return name == "a" ? 3.0 : 5.0; })
           : std::nan("");
}

// Reference: the table at the head of expression_parser.hpp.
TEST(ExpressionParser, FollowsThePrecedenceOfMathematics) {
  EXPECT_EQ(tree("1+2*3"), "(1+(2*3))");
  EXPECT_EQ(tree("1-2-3"), "((1-2)-3)");
  EXPECT_EQ(tree("8/4/2"), "((8/4)/2)");
  EXPECT_EQ(tree("2^3^2"), "(2^(3^2))");
  EXPECT_EQ(tree("-2^2"), "(-(2^2))");
  EXPECT_EQ(tree("2^-3"), "(2^(-3))");
  EXPECT_EQ(tree("-a*b"), "((-a)*b)");
  EXPECT_EQ(tree("a--b"), "(a-(-b))");
  EXPECT_EQ(tree("(1+2)*3"), "((1+2)*3)");
  EXPECT_EQ(tree("if(a<b, 1, 2)"), "if(a<b,1,2)");
  EXPECT_EQ(tree("if((a+1 >= b), 1, 2)"), "if((a+1)>=b,1,2)");
  EXPECT_EQ(tree("norm(D.force) + U.angle[2]"), "(norm(D.force)+U.angle[2])");
  EXPECT_EQ(tree("+a"), "a");
}

// Reference: arithmetic by hand.
TEST(ExpressionParser, ComputesValues) {
  EXPECT_EQ(value("2^3^2"), 512);
  EXPECT_EQ(value("-2^2"), -4);
  EXPECT_EQ(value("a + 2*b"), 13);
  EXPECT_EQ(value("1e3/4"), 250);
  EXPECT_EQ(value(".5 + 5."), 5.5);
  EXPECT_EQ(value("min(4, a, 7)"), 3);
  EXPECT_EQ(value("max(4, a, 7)"), 7);
  EXPECT_EQ(value("norm(a, 4)"), 5);
  EXPECT_EQ(value("abs(-2)"), 2);
  EXPECT_EQ(value("sqrt(16) + exp(0) + log(1)"), 5);
  EXPECT_EQ(value("atan2(0, -1)"), 3.14159265358979323846);
  EXPECT_EQ(value("2*pi"), 6.283185307179586);
  EXPECT_EQ(value("if(a < 3, 1, 2)"), 2);
  EXPECT_EQ(value("if(a <= 3, 1, 2)"), 1);
  EXPECT_EQ(value("if(a == 3, 1, 1/0)"), 1);
  EXPECT_TRUE(std::isnan(value("if(sqrt(-1) > 0, 1, 2)")));
  EXPECT_TRUE(std::isnan(value("min(1, sqrt(-1))")));
}

// Each function with one argument against libm.
TEST(ExpressionParser, ComputesEveryFunctionOfItsTable) {
  for (const FunctionType& function : function_types()) {
    if (function.least != 1 || function.name == "der") continue;
    const double y = value(std::string(function.name) + "(0.5)");
    EXPECT_TRUE(std::isfinite(y)) << function.name;
  }
  EXPECT_EQ(value("sin(0.5)"), std::sin(0.5));
  EXPECT_EQ(value("cos(0.5)"), std::cos(0.5));
  EXPECT_EQ(value("tan(0.5)"), std::tan(0.5));
  EXPECT_EQ(value("asin(0.5)"), std::asin(0.5));
  EXPECT_EQ(value("acos(0.5)"), std::acos(0.5));
  EXPECT_EQ(value("atan(0.5)"), std::atan(0.5));
  EXPECT_EQ(value("sinh(0.5)"), std::sinh(0.5));
  EXPECT_EQ(value("cosh(0.5)"), std::cosh(0.5));
  EXPECT_EQ(value("tanh(0.5)"), std::tanh(0.5));
  EXPECT_EQ(value("exp(0.5)"), std::exp(0.5));
  EXPECT_EQ(value("log(0.5)"), std::log(0.5));
}

// Code and columns (from 0) of the first error.
struct Complaint {
  const char* text;
  const char* code;
  std::size_t begin, end;
};

TEST(ExpressionParser, PointsAtTheFirstPlaceThatDoesNotFit) {
  for (const Complaint& c : {Complaint{"1 +", "E401", 2, 3},
                             {"1 + * 2", "E401", 4, 5},
                             {"2**3", "E401", 1, 3},
                             {"(1 + 2", "E401", 0, 1},
                             {"1 + 2)", "E401", 5, 6},
                             {"a b", "E401", 2, 3},
                             {"a.", "E401", 1, 2},
                             {"a[x]", "E401", 1, 3},
                             {"a = 2", "E401", 2, 3},
                             {"1 $ 2", "E401", 2, 5},
                             {"1.2.3", "E402", 0, 5},
                             {"2crank", "E402", 0, 6},
                             {"1e400", "E402", 0, 5},
                             {"3mm", "E403", 1, 3},
                             {"a.sinus(1)", "E410", 0, 7},
                             {"2*atan2(1)", "E411", 2, 10},
                             {"min(1)", "E411", 0, 6},
                             {"sin()", "E411", 0, 5},
                             {"1 < 2", "E412", 2, 3},
                             {"if(1, 2, 3)", "E412", 3, 4},
                             {"if(1 < 2 < 3, 2, 3)", "E412", 9, 10},
                             {"der(1)", "E417", 0, 6},
                             {"der(2*x)", "E417", 0, 8},
                             {"der(sin(x))", "E417", 0, 11},
                             {"der(der(der(x)))", "E417", 0, 16},
                             {"der()", "E411", 0, 5},
                             {"der(x, y)", "E411", 0, 9}}) {
    Diagnostics diagnostics;
    EXPECT_FALSE(parse_expression(make_text(c.text), "x", diagnostics)) << c.text;
    ASSERT_EQ(diagnostics.all().size(), 1U) << c.text;
    EXPECT_EQ(diagnostics.all()[0].code, c.code) << c.text;
    EXPECT_EQ(diagnostics.all()[0].span->begin, c.begin) << c.text;
    EXPECT_EQ(diagnostics.all()[0].span->end, c.end) << c.text;
  }
}

// Reference: the limits of the header; at the limit all is well, one more is refused.
TEST(ExpressionParser, LimitsLengthNestingAndSize) {
  const auto code = [](const std::string& text) {
    Diagnostics diagnostics;
    parse_expression(make_text(text), "x", diagnostics);
    return diagnostics.all().empty() ? std::string() : diagnostics.all()[0].code;
  };
  const auto nested = [](int depth) {
    const auto n = static_cast<std::size_t>(depth);
    return std::string(n, '(') + "1" + std::string(n, ')');
  };
  EXPECT_EQ(code(nested(kMaxExpressionNesting)), "");
  EXPECT_EQ(code(nested(kMaxExpressionNesting + 1)), "E407");
  EXPECT_EQ(code(std::string(5000, '-') + "1"), "E407");
  EXPECT_EQ(code("1" + std::string(kMaxExpressionLength - 1, ' ')), "");
  EXPECT_EQ(code("1" + std::string(kMaxExpressionLength, ' ')), "E407");
  std::string sum = "1";
  for (int i = 0; i < kMaxExpressionNodes / 2 - 1; ++i) sum += "+1";
  EXPECT_EQ(code(sum), "");
  EXPECT_EQ(code(sum + "+1+1"), "E407");
}

class RandomTree {
 public:
  explicit RandomTree(unsigned seed) : engine_(seed) {}

  Expression make(int depth) {
    const int kind = depth <= 0 ? pick(2) : pick(6);
    if (kind == 0) return Expression::number(std::ldexp(pick(1000), pick(20) - 10));
    if (kind == 1) return {Expression::Kind::name, 0, pick(2) == 0 ? "a" : "B.force[2]", {}, {}};
    if (kind == 2) return {Expression::Kind::negate, 0, "", {make(depth - 1)}, {}};
    if (kind == 3)
      return {Expression::Kind::call, 0, "atan2", {make(depth - 1), make(depth - 1)}, {}};
    if (kind == 4) {
      const char* comparisons[] = {"<", "<=", ">", ">=", "==", "!="};
      Expression condition = {Expression::Kind::binary,
                              0,
                              comparisons[pick(6)],
                              {make(depth - 1), make(depth - 1)},
                              {}};
      return {Expression::Kind::call, 0, "if", {condition, make(depth - 1), make(depth - 1)}, {}};
    }
    const char* operators[] = {"+", "-", "*", "/", "^"};
    return {
        Expression::Kind::binary, 0, operators[pick(5)], {make(depth - 1), make(depth - 1)}, {}};
  }

 private:
  int pick(int count) { return std::uniform_int_distribution<int>(0, count - 1)(engine_); }
  std::mt19937 engine_;
};

// Reference: the tree itself, seed 20240501.
TEST(ExpressionParser, ReadsBackWhatWasPrinted) {
  RandomTree random(20240501);
  for (int i = 0; i < 500; ++i) {
    const std::string text = print(random.make(6));
    if (text.size() > kMaxExpressionLength) continue;
    EXPECT_EQ(tree(text), text);
  }
}

// Text made of the language's own pieces, seed 7: whatever it is, it ends in a tree or in exactly
// one message whose place is inside the text.
TEST(ExpressionParser, SurvivesRandomText) {
  const char* pieces[] = {"1",   "2.5e3", "a",     "A.b",  "[1]", "(",  ")",        "+",
                          "-",   "*",     "/",     "^",    "<",   "=",  ",",        " ",
                          "if(", "sin(",  "norm(", "der(", ".",   "mm", "\xC3\xA4", "$"};
  std::mt19937 engine(7);
  for (int i = 0; i < 20000; ++i) {
    std::string text;
    const int count = std::uniform_int_distribution<int>(1, 12)(engine);
    for (int k = 0; k < count; ++k)
      text += pieces[std::uniform_int_distribution<std::size_t>(0, std::size(pieces) - 1)(engine)];
    Diagnostics diagnostics;
    const bool good = parse_expression(make_text(text), "x", diagnostics).has_value();
    ASSERT_EQ(diagnostics.all().size(), good ? 0U : 1U) << text;
    if (!good) {
      ASSERT_LE(diagnostics.all()[0].span->begin, text.size()) << text;
      ASSERT_LE(diagnostics.all()[0].span->end, text.size()) << text;
    }
  }
}

// A plain name may be that of a table; whether there is one is known only to the validation.
TEST(ExpressionParser, LeavesCallsOfPlainNamesToTheValidation) {
  Diagnostics diagnostics;
  const std::optional<Expression> e =
      parse_expression(make_text("2*lift(a + 1, time)"), "x", diagnostics);
  ASSERT_TRUE(e);
  const Expression& call = e->arguments.at(1);
  EXPECT_EQ(call.kind, Expression::Kind::call);
  EXPECT_EQ(call.text, "lift");
  EXPECT_EQ(call.arguments.size(), 2U);
  EXPECT_EQ(call.span.begin, 2U);
  EXPECT_EQ(call.span.end, 19U);
  EXPECT_EQ(find_unknown_call(*e), &call);
}

TEST(ExpressionParser, TakesDerOfANameOnceAndTwice) {
  Diagnostics diagnostics;
  const std::optional<Expression> once = parse_expression(make_text("der(x)"), "x", diagnostics);
  const std::optional<Expression> twice =
      parse_expression(make_text("der( der(x) )"), "x", diagnostics);
  ASSERT_TRUE(once && twice);
  EXPECT_EQ(once->text, "der");
  EXPECT_EQ(once->arguments.at(0).kind, Expression::Kind::name);
  EXPECT_EQ(twice->arguments.at(0).text, "der");
  EXPECT_EQ(twice->arguments.at(0).arguments.at(0).text, "x");
}

}  // namespace
}  // namespace mechfmu
