import { Group, Paper, Text, VisuallyHidden } from '@mantine/core'
import { useElementSize } from '@mantine/hooks'
import type { DayActivity } from '@tenantry/client'
import { useState, type PointerEvent } from 'react'
import { Table } from '../../components/table.tsx'
import { useTranslation } from '../../translation.ts'
import { useFormat } from '../../format.ts'
import { DayCurves, series, usePlot } from './day-curves.tsx'

/** Sign-ups and active users as curves. Hovering or the arrow keys show the numbers of a day. A table holds all. */
export const DayChart = ({ items }: { items: DayActivity[] }) => {
  const { ref, width } = useElementSize<HTMLDivElement>()
  const plot = usePlot(items, width)
  const [pointed, setPointed] = useState<number>()
  const point = ({ clientX, currentTarget }: PointerEvent): void => {
    const x = clientX - currentTarget.getBoundingClientRect().left
    const nth = Math.round((x - plot.left) / plot.step)
    setPointed(Math.min(Math.max(nth, 0), items.length - 1))
  }
  const day = pointed === undefined ? undefined : items[pointed]
  const x = plot.xOf(pointed ?? 0)
  const side = x < width / 2 ? { left: x + 12 } : { right: width - x + 12 }
  return (
    <>
      <Legend />
      <div ref={ref} className="chart" onPointerMove={point} onPointerLeave={() => setPointed(undefined)}>
        {width > 0 && <DayCurves items={items} plot={plot} width={width} pointed={day && pointed} />}
        {day && (
          <Paper className="chart-tooltip" withBorder shadow="md" px="sm" py="xs" style={side}>
            <Figures day={day} />
          </Paper>
        )}
        <DaySlider items={items} pointed={pointed} onPoint={setPointed} />
      </div>
      <DayTable items={items} />
    </>
  )
}

const Legend = () => {
  const { t } = useTranslation()
  return (
    <Group justify="flex-end" gap="md" mb="xs" aria-hidden>
      {series.map(({ key, label, className }) => (
        <Group key={key} gap={6}>
          <span className={`dot ${className}`} />
          <Text size="sm">{t(label)}</Text>
        </Group>
      ))}
    </Group>
  )
}

const Figures = ({ day }: { day: DayActivity }) => {
  const { t } = useTranslation()
  const format = useFormat()
  return (
    <>
      <Text size="sm" fw={500} mb={4}>
        {format.day(day.date)}
      </Text>
      {series.map(({ key, label, className }) => (
        <Group key={key} gap={6} wrap="nowrap">
          <span className={`dot ${className}`} />
          <Text size="sm">{t(label)}</Text>
          <Text size="sm" className="numbers" ml="auto" pl="md">
            {format.count(day[key])}
          </Text>
        </Group>
      ))}
    </>
  )
}

interface DaySliderProps {
  items: DayActivity[]
  pointed: number | undefined
  onPoint: (nth: number | undefined) => void
}

/** An invisible slider for moving through the days by keyboard. */
const DaySlider = ({ items, pointed = items.length - 1, onPoint }: DaySliderProps) => {
  const { t } = useTranslation()
  const format = useFormat()
  const day = items[pointed]
  const figures = day && series.map(({ key, label }) => `${t(label)}: ${format.count(day[key])}`).join(', ')
  return (
    <input
      type="range"
      className="chart-slider"
      aria-label={t('dashboard.day')}
      aria-valuetext={day && `${format.day(day.date)}. ${figures}`}
      max={items.length - 1}
      value={pointed}
      onChange={(event) => onPoint(event.currentTarget.valueAsNumber)}
      onFocus={() => onPoint(pointed)}
      onBlur={() => onPoint(undefined)}
    />
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
            {series.map(({ key, label }) => (
              <Table.Th key={key}>{t(label)}</Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {items.map((day) => (
            <Table.Tr key={day.date}>
              <Table.Th scope="row">{format.day(day.date)}</Table.Th>
              {series.map(({ key }) => (
                <Table.Td key={key}>{format.count(day[key])}</Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </VisuallyHidden>
  )
}
