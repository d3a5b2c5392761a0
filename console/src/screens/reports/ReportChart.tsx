import BarChart from '@cloudscape-design/components/bar-chart';
import Box from '@cloudscape-design/components/box';

/** More bars than these cannot be told apart. */
const MAX_BARS = 24;

export interface ChartProps {
  /** Names what the axis has: groups or days. */
  axis: string;
  /** What the bars measure, for example `Amount in USD`. */
  measure: string;
  /** Each series has one value for each label. */
  labels: string[];
  series: { title: string; values: number[] }[];
  format: (value: number) => string;
}

/** A bar chart with a group of bars for each label. Of too many labels it shows the last ones. */
export default function ReportChart({ axis, measure, labels, series, format }: ChartProps) {
  const shown = labels.slice(-MAX_BARS);
  if (shown.length === 0) return <Box color="text-body-secondary">There is nothing to draw.</Box>;
  return (
    <>
      {shown.length < labels.length && (
        <Box color="text-body-secondary">
          The chart shows the last {shown.length} of {labels.length}; the table has all.
        </Box>
      )}
      <BarChart
        ariaLabel="Figures of the report"
        height={280}
        hideFilter
        xScaleType="categorical"
        xTitle={axis}
        yTitle={measure}
        xDomain={shown}
        series={series.map(({ title, values }) => ({
          title,
          type: 'bar',
          data: values.slice(-MAX_BARS).map((y, at) => ({ x: shown[at] ?? '', y })),
          valueFormatter: format,
        }))}
        i18nStrings={{ yTickFormatter: format, chartAriaRoleDescription: 'bar chart' }}
      />
    </>
  );
}
