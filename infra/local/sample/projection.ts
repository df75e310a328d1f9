import { double } from "./literals.ts";

/** One step of a formula: new columns, as expressions over the earlier columns. */
type Step = Readonly<Record<string, string>>;

const SEMI_MAJOR = 6378137;
const FLATTENING = 1 / 298.257222101;
const E2 = FLATTENING * (2 - FLATTENING);

/**
 * Returns a query with all columns of `source` (a table or a query in brackets with the columns `east` and `north`, metres) and `lon`,
 * `lat` in degrees. The inverse projections are formulas over columns, so that a million points take seconds.
 * Sources: Snyder, Map Projections (1987), formulas 24-26 and 3-18; Karney, Transverse Mercator (2011), formulas 11 and 36.
 * Throws a RangeError for a CRS that no country's grid uses.
 */
export function withLonLat(source: string, crs: string): string {
  const steps = stepsOf(crs);
  const query = steps.reduce((from, step) => {
    const added = Object.entries(step).map(([name, value]) => `${value} AS ${name}`);
    return `(SELECT *, ${added.join(", ")} FROM ${from})`;
  }, source);
  const between = steps.flatMap((step) => Object.keys(step)).filter((name) => name !== "lon" && name !== "lat");
  return `SELECT * EXCLUDE (${between.join(", ")}) FROM ${query}`;
}

function stepsOf(crs: string): Step[] {
  if (crs === "EPSG:3035") return equalAreaSteps();
  if (crs === "EPSG:25833") return transverseMercatorSteps();
  throw new RangeError(`no projection for ${crs}`);
}

/**
 * Returns the inverse of Lambert's azimuthal equal-area projection around 52° north, 10° east: false easting 4,321,000 m, false northing
 * 3,210,000 m.
 */
function equalAreaSteps(): Step[] {
  const origin = (52 * Math.PI) / 180;
  const qPole = authalicQ(1);
  const sinBeta = authalicQ(Math.sin(origin)) / qPole;
  const cosBeta = Math.sqrt(1 - sinBeta ** 2);
  const radius = SEMI_MAJOR * Math.sqrt(qPole / 2);
  const stretch = (SEMI_MAJOR * Math.cos(origin)) / Math.sqrt(1 - E2 * Math.sin(origin) ** 2) / (radius * cosBeta);
  const latitude = [
    E2 / 3 + (31 * E2 ** 2) / 180 + (517 * E2 ** 3) / 5040,
    (23 * E2 ** 2) / 360 + (251 * E2 ** 3) / 3780,
    (761 * E2 ** 3) / 45360,
  ];
  return [
    { p_x: `(east - 4321000) / ${double(stretch)}`, p_y: `(north - 3210000) * ${double(stretch)}` },
    { p_rho: "sqrt(p_x * p_x + p_y * p_y)" },
    { p_angle: `2 * asin(p_rho * ${double(0.5 / radius)})` },
    { p_sine: "sin(p_angle) / p_rho", p_cosine: "cos(p_angle)" },
    {
      p_beta: `asin(p_cosine * ${double(sinBeta)} + p_y * p_sine * ${double(cosBeta)})`,
      p_lambda: `atan2(p_x * p_sine, p_cosine * ${double(cosBeta)} - p_y * p_sine * ${double(sinBeta)})`,
    },
    { lon: degrees("p_lambda", 10), lat: degrees(`(p_beta + ${sineSeries("p_beta", latitude)})`, 0) },
  ];
}

/**
 * Returns the inverse of the transverse Mercator projection of UTM zone 33 (15° east, scale 0.9996, false easting 500,000 m), to the fourth
 * order of n.
 */
function transverseMercatorSteps(): Step[] {
  const n = FLATTENING / (2 - FLATTENING);
  const scale = (0.9996 * SEMI_MAJOR * (1 + n ** 2 / 4 + n ** 4 / 64)) / (1 + n);
  const beta = [
    n / 2 - (2 * n ** 2) / 3 + (37 * n ** 3) / 96 - n ** 4 / 360,
    n ** 2 / 48 + n ** 3 / 15 - (437 * n ** 4) / 1440,
    (17 * n ** 3) / 480 - (37 * n ** 4) / 840,
    (4397 * n ** 4) / 161280,
  ];
  const latitude = [
    2 * n - (2 * n ** 2) / 3 - 2 * n ** 3 + (116 * n ** 4) / 45,
    (7 * n ** 2) / 3 - (8 * n ** 3) / 5 - (227 * n ** 4) / 45,
    (56 * n ** 3) / 15 - (136 * n ** 4) / 35,
    (4279 * n ** 4) / 630,
  ];
  const series = (round: string, hyperbolic: string): string =>
    beta.map((term, j) => `${double(term)} * ${round}(${2 * j + 2} * p_xi) * ${hyperbolic}(${2 * j + 2} * p_eta)`).join(" + ");
  return [
    { p_xi: `north * ${double(1 / scale)}`, p_eta: `(east - 500000) * ${double(1 / scale)}` },
    { p_xi0: `p_xi - (${series("sin", "cosh")})`, p_eta0: `p_eta - (${series("cos", "sinh")})` },
    { p_chi: "asin(sin(p_xi0) / cosh(p_eta0))", p_lambda: "atan2(sinh(p_eta0), cos(p_xi0))" },
    { lon: degrees("p_lambda", 15), lat: degrees(`(p_chi + ${sineSeries("p_chi", latitude)})`, 0) },
  ];
}

/** Returns radians as degrees from an origin, rounded to 1e-8 degrees (a millimetre) so that texts stay short. */
function degrees(radians: string, origin: number): string {
  return `round(${origin} + ${radians} * ${double(180 / Math.PI)}, 8)`;
}

function sineSeries(angle: string, terms: readonly number[]): string {
  return `(${terms.map((term, index) => `${double(term)} * sin(${2 * index + 2} * ${angle})`).join(" + ")})`;
}

/** Returns the equal-area measure of a latitude from its sine (Snyder 3-12). */
function authalicQ(sine: number): number {
  const e = Math.sqrt(E2);
  return (1 - E2) * (sine / (1 - E2 * sine ** 2) - Math.log((1 - e * sine) / (1 + e * sine)) / (2 * e));
}
