import { dashboard as texts } from './en/dashboard.ts'

/** The texts of the dashboard, and of its charts on other pages. */
export const dashboard = { dashboard: texts }
