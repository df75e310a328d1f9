"""The area and the cells of a polygon as PROJ and GEOS have them: `POST /admin/maps/check` says the same."""

import math
import random

import numpy
import pyproj
import shapely
from api import USERS, session

CELL = 250
# Straight lines of longitude and latitude, in pieces: a projection bends them.
PIECE_DEGREES = 0.0005
ELLIPSOID = pyproj.Geod(ellps="GRS80")
POLYGONS = 12
# The projection of a country's grid, and a box that lies in the extent of no other country: west, south, east, north.
GRIDS = {"EST": ("EPSG:3035", (22.5, 58.5, 27.0, 59.4)), "NOR": ("EPSG:25833", (6.5, 58.8, 11.0, 62.5))}


def polygon_in(box, rng):
    """Returns a polygon around a place in a box, of 0.3 to 15 km, with or without a hole."""
    west, south, east, north = box
    lon, lat = rng.uniform(west, east), rng.uniform(south, north)
    size, corners = rng.choice((0.3, 1, 5, 15)) / 111.32, rng.randint(4, 40)

    def corner(turn, share):
        angle = 2 * math.pi * turn / corners
        radius = size * share
        return lon + radius * math.cos(angle) / math.cos(math.radians(lat)), lat + radius * math.sin(angle)

    hole = [[corner(turn, 0.3) for turn in range(corners)]] if rng.random() < 0.3 else []
    return shapely.Polygon([corner(turn, rng.uniform(0.5, 1)) for turn in range(corners)], hole)


def touched(polygon):
    """Returns how many cells of the grid a projected polygon touches."""
    west, south, east, north = (math.floor(bound / CELL) for bound in polygon.bounds)
    x, y = numpy.meshgrid(numpy.arange(west, east + 1) * CELL, numpy.arange(south, north + 1) * CELL)
    shapely.prepare(polygon)
    return int(shapely.intersects(polygon, shapely.box(x, y, x + CELL, y + CELL)).sum())


for country, (crs, box) in GRIDS.items():
    project = pyproj.Transformer.from_crs("EPSG:4326", crs, always_xy=True).transform
    rng = random.Random(country)
    for _ in range(POLYGONS):
        polygon = polygon_in(box, rng)
        pieces = shapely.segmentize(polygon, PIECE_DEGREES)
        body = {"name": "checked", "type": "custom_polygon", "geometry": shapely.to_wkt(polygon, rounding_precision=-1)}
        answer = session.post(f"{USERS}/admin/maps/check", json=body).json()
        assert answer["errors"] == [] and answer["countries"] == [country], (answer, polygon.wkt)
        cells = touched(shapely.transform(pieces, project, interleaved=False))
        assert answer["cells"] == cells, f"{answer['cells']} cells, and {cells} by PROJ and GEOS: {polygon.wkt}"
        area = abs(ELLIPSOID.geometry_area_perimeter(shapely.orient_polygons(pieces))[0]) / 1e6
        assert abs(answer["area_km2"] - area) < 1e-6 + 1e-6 * area, f"{answer['area_km2']} km², and {area} by PROJ: {polygon.wkt}"
