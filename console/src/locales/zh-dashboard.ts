import type { dashboard as en } from './en-dashboard.ts'
import { dashboard as texts } from './zh/dashboard.ts'

export const dashboard: typeof en = { dashboard: texts }
