select target_name, max(timestamp) as newest
from {{ source("populus", "realtime_data") }}
group by 1
