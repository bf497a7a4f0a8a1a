import type { DayActivity } from '@tenantry/client'
import { useTranslation } from '../../translation.ts'
import { useFormat } from '../../format.ts'
import { curveOf, marksOf } from './curve.ts'

/** In pixels. The picture is as wide as its card, and the margins hold the labels. */
const height = 252
const top = 10
const bottom = 222
const right = 20
const labelWidth = 72

export const series = [
  { key: 'active_users', label: 'dashboard.activeUsers', className: 'active-users' },
  { key: 'sign_ups', label: 'dashboard.signUps', className: 'sign-ups' },
] as const

export const usePlot = (items: DayActivity[], width: number) => {
  const format = useFormat()
  const marks = marksOf(Math.max(...items.flatMap((day) => series.map(({ key }) => day[key]))))
  const last = marks.at(-1) ?? 1
  const left = 16 + 8 * format.count(last).length
  const step = Math.max(0, width - left - right) / Math.max(1, items.length - 1)
  return {
    marks,
    left,
    step,
    /** Labels one in this many days, so that labels do not overlap. */
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

export const DayCurves = ({ items, plot, width, pointed }: CurvesProps) => {
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
