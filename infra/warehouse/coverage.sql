-- Where the network counts, also where nobody is now: what is drawn outside is out of coverage. Rows of 250 m cells side by side, because a country has
-- millions of cells. Cells of geographies of the type grid_250m are covered as well, without a row here.
CREATE TABLE IF NOT EXISTS mobility.coverage (
  country_code STRING NOT NULL,
  northing INT64 NOT NULL OPTIONS (description = 'South side of the cells, metres: the last seven digits of their ids'),
  first_cell_id INT64 NOT NULL OPTIONS (description = 'The westernmost 250 m cell'),
  last_cell_id INT64 NOT NULL OPTIONS (description = 'The easternmost 250 m cell; all in between are covered')
)
CLUSTER BY country_code, northing
OPTIONS (description = 'The 250 m cells of the network, as runs from west to east');
