// Where within a step an event indicator changes its sign: regula falsi with Illinois' weights on
// the length of the step, every third trial in the middle. Each trial is a whole step of the
// integrator from the same begin; the earliest of several changes is looked for.
#pragma once

namespace mechfmu::runtime {

class EventSearch {
 public:
  // Indicators at the begin and at the end of the bracket, [count] each; the memory is the owner's.
  EventSearch(int count, double* before, double* after)
      : count_(count), before_(before), after_(after) {}

  [[nodiscard]] bool is_active() const { return active_; }
  [[nodiscard]] double width() const { return high_ - low_; }
  void stop() { active_ = false; }

  // The end of a trial of this length: no condition has changed there, or some have.
  void note_before(double length, const double* z) {
    ++trials_;
    low_ = length;
    copy(z, before_);
    low_weight_ = 1;
    high_weight_ = last_was_low_ ? high_weight_ / 2 : high_weight_;
    last_was_low_ = true;
  }
  void note_after(double length, const double* z) {
    if (!active_) {
      active_ = true;
      trials_ = -1;
      low_ = 0;
      low_weight_ = 1;
      last_was_low_ = true;
    }
    ++trials_;
    high_ = length;
    copy(z, after_);
    high_weight_ = 1;
    low_weight_ = last_was_low_ ? low_weight_ : low_weight_ / 2;
    last_was_low_ = false;
  }

  // The next length to try; the end of the bracket once that is narrower than `resolution`.
  [[nodiscard]] double next(double resolution) const {
    if (width() <= resolution) return high_;
    double part = 1;
    for (int i = 0; i < count_; ++i) {
      const double a = low_weight_ * before_[i];
      const double b = high_weight_ * after_[i];
      // one that was zero all over (the force of a stop before the touch) says nothing
      if ((a < 0) == (b < 0) || a == 0) continue;
      const double root = a / (a - b);
      if (root < part) part = root;
    }
    if (part >= 1 || trials_ % 3 == 2) part = 0.5;
    const double margin = 0.25 * resolution / width();
    if (part < margin) part = margin;
    if (part > 1 - margin) part = 1 - margin;
    return low_ + part * width();
  }

 private:
  void copy(const double* z, double* to) const {
    for (int i = 0; i < count_; ++i) to[i] = z[i];
  }

  int count_;
  double* before_;
  double* after_;
  bool active_ = false;
  bool last_was_low_ = false;
  int trials_ = 0;  // within the bracket
  double low_ = 0, high_ = 0;
  double low_weight_ = 1, high_weight_ = 1;
};

}  // namespace mechfmu::runtime
