import { Text } from '@mantine/core'
import { useFactorRefusal } from '../../components/factor-refusal.tsx'
import { SectionCard } from '../../components/section-card.tsx'
import { TextLink } from '../../components/text-link.tsx'
import { useMe } from '../../session/me.ts'
import { useTranslation } from '../../translation.ts'
import { passwords, robots, secondFactor, ways, type FormsProps } from './known-settings.ts'
import { PasswordsForm } from './passwords-form.tsx'
import { RobotsForm } from './robots-form.tsx'
import { SupportForm } from './support-form.tsx'
import { SwitchForm } from './switch-form.tsx'
import { useCanConfigure, useIsConnectionOnly } from './settings.queries.ts'
import { WaysForm } from './ways-form.tsx'

export const SecuritySection = ({ scope, settingOf }: FormsProps) => {
  const { t } = useTranslation()
  const refusal = useFactorRefusal({ isNeeded: useCanConfigure(scope), text: t('settings.factorText') })
  const shared = (
    <>
      <WaysForm scope={scope} setting={settingOf(ways.key)} />
      <PasswordsForm scope={scope} setting={settingOf(passwords.key)} />
    </>
  )
  if (scope === 'global') {
    return (
      <>
        {refusal}
        {shared}
        <RobotsForm setting={settingOf(robots.key)} />
      </>
    )
  }
  return (
    <>
      {refusal}
      <SwitchForm
        name={secondFactor.key}
        title={t('factors.title')}
        label={t('settings.secondFactor')}
        description={t('settings.secondFactorHint')}
        isOn={settingOf(secondFactor.key)?.value === true}
        needsFactor
      />
      <OnlyConnection />
      {shared}
      <SupportForm settingOf={settingOf} />
    </>
  )
}

/** The page of connections has the form. */
const OnlyConnection = () => {
  const { t } = useTranslation()
  const isOnly = useIsConnectionOnly()
  if (!useMe().can('sso:read')) return null
  return (
    <SectionCard title={t('settings.connectionOnlyTitle')}>
      <Text size="sm" mb="xs">
        {t(isOnly ? 'settings.connectionOnlyOn' : 'settings.connectionOnlyOff')}
      </Text>
      <TextLink to="/connections" size="sm" underline="always">
        {t('settings.connectionOnly')}
      </TextLink>
    </SectionCard>
  )
}
