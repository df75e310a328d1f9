"""Outlines as GEOS and PROJ read them: valid, turned as RFC 7946 says, without overlaps, squares in the grid, the same as WKT."""

import geopandas
import shapely
from api import pages


def layer_of(geo_type):
    features = [feature for page in pages(format="geojson", geo_type=geo_type) for feature in page["features"]]
    return geopandas.GeoDataFrame.from_features(features, crs="EPSG:4326").set_index("geo_id")


def polygons_of(outline):
    return getattr(outline, "geoms", [outline])


for geo_type in ("admin_level_2", "admin_level_4", "grid_1000m"):
    layer = layer_of(geo_type)
    assert len(layer) > 40 and layer.index.is_unique and layer.is_valid.all(), geo_type
    for polygon in (polygon for outline in layer.geometry for polygon in polygons_of(outline)):
        assert shapely.is_ccw(polygon.exterior) and not any(map(shapely.is_ccw, polygon.interiors)), polygon.wkt
    metres = layer.to_crs("EPSG:3035")
    together = metres.union_all().area
    assert abs(metres.area.sum() / together - 1) < 1e-6, f"{geo_type} overlap: {metres.area.sum()} of {together} m²"
    wkt = {row["geo_id"]: row["geometry"] for page in pages(geo_type=geo_type) for row in page["geographies"]}
    assert wkt.keys() == set(layer.index), geo_type
    for geo_id, outline in layer.geometry.items():
        assert outline.normalize() == shapely.from_wkt(wkt[geo_id]).normalize(), (geo_type, geo_id)

# The cells of a kilometre: an id is the easting and the northing of its south-western corner. Degrees have eight decimals.
for geo_id, cell in metres.geometry.items():
    east, north = divmod(geo_id, 10**7)
    square = shapely.box(east, north, east + 1000, north + 1000)
    assert cell.hausdorff_distance(square) < 0.01, (geo_id, cell.wkt)
