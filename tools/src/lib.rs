//! The pinned EDA tools: installing, finding and running them.
