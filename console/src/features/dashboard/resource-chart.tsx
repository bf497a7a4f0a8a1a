import '@mantine/charts/styles.css'
import { BarChart } from '@mantine/charts'
import { Table, VisuallyHidden } from '@mantine/core'
import type { AuditLog } from '@tenantry/client'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../format.ts'
import { useAuditTexts } from '../audit/audit-texts.ts'

/** How many of the records are about each resource, the most first. */
const countByResource = (records: AuditLog[]) => {
  const counts = new Map<string, number>()
  for (const { resource } of records) counts.set(resource, (counts.get(resource) ?? 0) + 1)
  return [...counts].map(([resource, count]) => ({ resource, count })).toSorted((a, b) => b.count - a.count)
}

const rowHeight = 44
const margin = 16

/** The picture, which nobody needs to reach by keyboard, and the same as a table for who does not see it. */
export const ResourceChart = ({ records }: { records: AuditLog[] }) => {
  const { t } = useTranslation()
  const format = useFormat()
  const { ofResource } = useAuditTexts()
  const data = countByResource(records).map((one) => ({ ...one, resource: ofResource(one.resource) }))
  return (
    <>
      <div aria-hidden>
        <BarChart
          h={margin + rowHeight * data.length}
          data={data}
          dataKey="resource"
          orientation="vertical"
          series={[{ name: 'count', label: t('dashboard.records'), color: 'indigo.6' }]}
          gridAxis="none"
          tickLine="none"
          withXAxis={false}
          withTooltip={false}
          withBarValueLabel
          maxBarWidth={22}
          yAxisProps={{ width: 110 }}
          accessibilityLayer={false}
          barChartProps={{ margin: { right: 48 } }}
          valueFormatter={format.count}
          barProps={{ radius: 4, isAnimationActive: false }}
        />
      </div>
      <VisuallyHidden>
        <Table>
          <Table.Tbody>
            {data.map(({ resource, count }) => (
              <Table.Tr key={resource}>
                <Table.Th scope="row">{resource}</Table.Th>
                <Table.Td>{count}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </VisuallyHidden>
    </>
  )
}
