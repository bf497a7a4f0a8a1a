import { getRouteApi } from '@tanstack/react-router'
import { useTranslation } from '../../translation.ts'
import { useFactors } from '../factors/factors.queries.ts'
import { OwnFactors } from '../factors/factors.views.tsx'
import { RestrictedFrame } from './restricted-frame.tsx'

const route = getRouteApi('/second-factor')

export const SecondFactorPage = () => {
  const { t } = useTranslation()
  const { next = '/' } = route.useSearch()
  const hasFactor = (useFactors().data?.factors.length ?? 0) > 0
  return (
    <RestrictedFrame
      title={t('signIn.secondFactor')}
      text={t('factors.requiredText')}
      next={next}
      canGoOn={hasFactor}
    >
      <OwnFactors />
    </RestrictedFrame>
  )
}
