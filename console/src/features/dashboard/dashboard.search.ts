/** In days. */
export const periods = [7, 30, 90] as const
export const defaultPeriod = 30

type Period = (typeof periods)[number]

export const dashboardSearch = ({ days }: Record<string, unknown>): { days?: Period | undefined } =>
  periods.includes(days as Period) && days !== defaultPeriod ? { days: days as Period } : {}
