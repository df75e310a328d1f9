/** Formats like C's `%.*g`: at most `digits` significant digits, an exponent of two digits or more below 1e-4 and from 10^digits up. */
function general(value: number, digits: number): string {
  const [mantissa = "0", power = "0"] = value.toExponential(digits - 1).split("e");
  const exponent = Number(power);
  const strip = (text: string) => (text.includes(".") ? text.replace(/\.?0+$/, "") : text);
  if (exponent >= -4 && exponent < digits) return strip(value.toFixed(Math.min(100, digits - 1 - exponent)));
  return `${strip(mantissa)}e${exponent < 0 ? "-" : "+"}${String(Math.abs(exponent)).padStart(2, "0")}`;
}

/** Formats a FLOAT64 as GoogleSQL's CAST does: 15 significant digits, or 17 if these read back as another number. */
export function floatText(value: number): string {
  if (Number.isNaN(value)) return "nan";
  if (!Number.isFinite(value)) return value > 0 ? "inf" : "-inf";
  if (value === 0) return "0";
  const short = general(value, 15);
  return Number(short) === value ? short : general(value, 17);
}

/** Rounds half away from zero to so many decimals, exactly: 0.15 is a little less than 0.15. Negative decimals round to tens. */
export function rounded(value: number, decimals: number, mode: "nearest" | "towards zero"): number {
  if (!Number.isFinite(value) || decimals > 323) return value;
  const magnitude = Math.abs(value);
  const sign = value < 0 ? -1 : 1;
  if (decimals < 0) {
    if (decimals < -308) return 0;
    const unit = 10n ** BigInt(-decimals);
    const whole = BigInt(Math.trunc(magnitude));
    const rest = whole % unit;
    const up = mode === "nearest" && rest * 2n >= unit;
    return sign * Number(whole - rest + (up ? unit : 0n));
  }
  if (magnitude >= 2 ** 52 || decimals > 100) return value;
  const nearest = Number(magnitude.toFixed(decimals));
  if (mode === "nearest") return sign * nearest;
  // 50 digits more than asked for show whether the nearest was above.
  const digits = magnitude.toFixed(Math.min(100, decimals + 60));
  const end = digits.indexOf(".") + 1 + decimals;
  return sign * Number(digits.slice(0, decimals === 0 ? digits.indexOf(".") : end));
}
