import { useTranslation } from '../../translation.ts'
import { deviceOf } from './device.ts'

/** The names of browser and system of a user agent; undefined if both are unknown. */
export const useDevice = () => {
  const { t } = useTranslation()
  return (userAgent: string): string | undefined => {
    const { browser, system } = deviceOf(userAgent)
    return browser && system ? t('common.device', { browser, system }) : (browser ?? system)
  }
}
