import '@mantine/charts/styles.css'
import { AreaChart, ChartTooltip, type ChartTooltipProps } from '@mantine/charts'
import { Table, VisuallyHidden } from '@mantine/core'
import type { DayActivity } from '@tenantry/client'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../format.ts'

const useSeries = () => {
  const { t } = useTranslation()
  return [
    { name: 'active_users', label: t('dashboard.activeUsers'), color: 'indigo.6' },
    { name: 'sign_ups', label: t('dashboard.signUps'), color: 'teal.7', strokeDasharray: '5 4' },
  ]
}

/** What the chart knows of the day that is pointed at. */
interface Pointed {
  label?: string
  payload?: ChartTooltipProps['payload']
}

const DayTooltip = ({ label = '', payload }: Pointed) => {
  const format = useFormat()
  const series = useSeries()
  return (
    <ChartTooltip
      label={label && format.day(label)}
      payload={payload}
      series={series}
      valueFormatter={format.count}
    />
  )
}

/** The picture, which nobody needs to reach by keyboard, and the same as a table for who does not see it. */
export const DayChart = ({ items, height }: { items: DayActivity[]; height: number }) => {
  const format = useFormat()
  const series = useSeries()
  return (
    <>
      <div aria-hidden>
        <AreaChart
          h={height}
          data={items}
          dataKey="date"
          series={series}
          curveType="monotone"
          withDots={false}
          withLegend
          fillOpacity={0.12}
          tickLine="none"
          strokeDasharray="3 3"
          valueFormatter={format.count}
          xAxisProps={{
            tickFormatter: format.dayShort,
            interval: 'equidistantPreserveStart',
            minTickGap: 24,
          }}
          yAxisProps={{ width: 'auto', allowDecimals: false }}
          tooltipAnimationDuration={0}
          tooltipProps={{ content: <DayTooltip /> }}
          areaProps={{ isAnimationActive: false }}
          areaChartProps={{ accessibilityLayer: false, margin: { left: 12, right: 12 } }}
        />
      </div>
      <DayTable items={items} />
    </>
  )
}

const DayTable = ({ items }: { items: DayActivity[] }) => {
  const { t } = useTranslation()
  const format = useFormat()
  return (
    <VisuallyHidden>
      <Table>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t('dashboard.day')}</Table.Th>
            <Table.Th>{t('dashboard.activeUsers')}</Table.Th>
            <Table.Th>{t('dashboard.signUps')}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {items.map((day) => (
            <Table.Tr key={day.date}>
              <Table.Th scope="row">{format.day(day.date)}</Table.Th>
              <Table.Td>{format.count(day.active_users)}</Table.Td>
              <Table.Td>{format.count(day.sign_ups)}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </VisuallyHidden>
  )
}
