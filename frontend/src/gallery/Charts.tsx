// Charts: one series with its values, two on each other, and one of nothing.
import { Chart } from '@/ui/chart/Chart';
import { Specimen } from './Part';

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug'];
const SLOTS = MONTHS.map((month) => ({ label: month, name: `${month} 2026` }));
const UP = [3, 5, 4, 8, 6, 9, 12, 10];
const DOWN = [1, 2, 2, 3, 5, 4, 6, 7];
const texts = (values: number[]) => values.map((value) => `${value} GB`);
const series = (name: string, values: number[]) => ({ name, values, texts: texts(values) });
const sums = { name: 'Total', texts: texts(UP.map((value, index) => value + (DOWN[index] ?? 0))) };

export function Charts() {
  return (
    <>
      <Specimen label="Chart: one series, with its values">
        <Chart
          title="Traffic"
          axis="Month"
          slots={SLOTS}
          series={[series('Traffic', UP)]}
          scaleText={(value) => `${value} GB`}
          showsValues
        />
      </Specimen>
      <Specimen label="Chart: two series">
        <Chart
          title="Traffic by direction"
          axis="Month"
          slots={SLOTS}
          series={[series('Up', UP), series('Down', DOWN)]}
          sums={sums}
          scaleText={(value) => `${value} GB`}
        />
      </Specimen>
      <Specimen label="Chart: nothing yet">
        <Chart
          title="No traffic"
          axis="Month"
          slots={SLOTS}
          series={[
            series(
              'Traffic',
              MONTHS.map(() => 0),
            ),
          ]}
          scaleText={(value) => `${value} GB`}
        />
      </Specimen>
    </>
  );
}
