import { Group, Paper, Text, VisuallyHidden } from '@mantine/core'
import { useElementSize } from '@mantine/hooks'
import type { DayActivity } from '@tenantry/client'
import { useState, type PointerEvent } from 'react'
import { Table } from '../../components/table.tsx'
import { useFormat } from '../../format.ts'
import { useTranslation } from '../../translation.ts'
import { curveOf, marksOf } from './curve.ts'

/**
 * Sign-ups and active users as curves. The pointer or the arrow keys show the numbers of a day. A table has all
 * numbers.
 */
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

/** In pixels. The picture is as wide as its card, and the margins hold the labels. */
const height = 252
const top = 10
const bottom = 222
const right = 20
const labelWidth = 72

const series = [
  { key: 'active_users', label: 'dashboard.activeUsers', className: 'active-users' },
  { key: 'sign_ups', label: 'dashboard.signUps', className: 'sign-ups' },
] as const

const usePlot = (items: DayActivity[], width: number) => {
  const format = useFormat()
  const marks = marksOf(Math.max(...items.flatMap((day) => series.map(({ key }) => day[key]))))
  const last = marks.at(-1) ?? 1
  const left = 16 + 8 * format.count(last).length
  const step = Math.max(0, width - left - right) / Math.max(1, items.length - 1)
  return {
    marks,
    left,
    step,
    /** Every how many days a label appears, so that labels do not overlap. */
    every: Math.max(1, Math.ceil(labelWidth / Math.max(step, 1))),
    xOf: (nth: number) => left + nth * step,
    yOf: (value: number) => bottom - ((bottom - top) * value) / last,
  }
}

type Plot = ReturnType<typeof usePlot>

interface CurvesProps {
  items: DayActivity[]
  plot: Plot
  width: number
  pointed: number | undefined
}

const DayCurves = ({ items, plot, width, pointed }: CurvesProps) => {
  const { t } = useTranslation()
  const format = useFormat()
  const { left, step, xOf, yOf } = plot
  const [from, to] = [items[0], items.at(-1)].map((day) => format.day(day?.date ?? ''))
  return (
    <svg width={width} height={height} role="img" aria-label={t('dashboard.chart', { from, to })}>
      <Axes items={items} plot={plot} width={width} />
      {series.map(({ key, className }) => {
        const curve = curveOf(
          items.map((day) => yOf(day[key])),
          left,
          step,
        )
        // The last segment ends at today, which is incomplete.
        const cut = curve.lastIndexOf('C')
        const yesterday = items.length - 2
        const start = `M${xOf(yesterday)},${yOf(items[yesterday]?.[key] ?? 0)}`
        return (
          <g key={key} className={className}>
            <path className="area" d={`${curve}V${bottom}H${left}Z`} />
            <path className="line" d={curve.slice(0, cut)} />
            <path className="line today" d={`${start}${curve.slice(cut)}`} />
          </g>
        )
      })}
      {pointed !== undefined && (
        <>
          <line className="grid" x1={xOf(pointed)} x2={xOf(pointed)} y1={top} y2={bottom} />
          {series.map(({ key, className }) => (
            <circle
              key={key}
              className={className}
              cx={xOf(pointed)}
              cy={yOf(items[pointed]?.[key] ?? 0)}
              r={4}
            />
          ))}
        </>
      )}
    </svg>
  )
}

const Axes = ({ items, plot, width }: Omit<CurvesProps, 'pointed'>) => {
  const format = useFormat()
  const { marks, left, every, xOf, yOf } = plot
  return (
    <>
      {marks.map((mark) => (
        <g key={mark}>
          <line className="grid" x1={left} x2={width - right} y1={yOf(mark)} y2={yOf(mark)} />
          <text x={left - 12} y={yOf(mark)} dy="0.32em" textAnchor="end">
            {format.count(mark)}
          </text>
        </g>
      ))}
      {items.map(
        ({ date }, nth) =>
          nth % every === 0 && (
            <text key={date} x={xOf(nth)} y={height - 8} textAnchor="middle">
              {format.dayShort(date)}
            </text>
          ),
      )}
    </>
  )
}
