import { Button, Code, Group, SimpleGrid, Stack } from '@mantine/core'
import { useForm, type UseFormInput, type UseFormReturnType } from '@mantine/form'
import type { ComponentType, ReactNode } from 'react'
import { ErrorPanel } from '../../components/error-panel.tsx'
import { SectionCard } from '../../components/section-card.tsx'
import { useNotify } from '../../components/use-notify.ts'
import { useSubmit } from '../../components/use-submit.ts'
import { useTranslation } from '../../translation.ts'
import type { SettingScope } from './known-settings.ts'
import { useCanConfigure, usePutSetting } from './settings.queries.ts'

interface SettingFormProps<Values extends Record<string, unknown>> {
  scope: SettingScope
  /** The key of the setting. */
  name: string
  title: string
  /** The effect of the setting. */
  hint: string
  saved: Values
  validate?: NonNullable<UseFormInput<Values>['validate']>
  /** Returns the value to store. If absent, the values of the form are stored. */
  settingOf?: (values: Values) => unknown
  /** True if the service would refuse a change. */
  isLocked?: boolean
  /** Replaces the inputs for callers who cannot change them. */
  readings?: ReactNode
  Preview?: ComponentType<{ values: Values }>
  children: (form: UseFormReturnType<Values>, isReadOnly: boolean) => ReactNode
}

/** A card of inputs that are saved together, beside a preview of their effect. */
export const SettingForm = <Values extends Record<string, unknown>>(props: SettingFormProps<Values>) => {
  const { scope, name, title, hint, saved } = props
  return (
    <SectionCard
      title={title}
      hint={
        <>
          {hint}
          {scope === 'global' && <SettingKey name={name} />}
        </>
      }
    >
      <Fields key={JSON.stringify(saved)} {...props} />
    </SectionCard>
  )
}

const useIsReadOnly = ({ scope, isLocked = false }: Pick<SettingFormProps<never>, 'scope' | 'isLocked'>) =>
  !useCanConfigure(scope) || isLocked

const Fields = <Values extends Record<string, unknown>>(props: SettingFormProps<Values>) => {
  const { scope, name, saved, validate, settingOf, readings, Preview, children } = props
  const { t } = useTranslation()
  const isReadOnly = useIsReadOnly(props)
  const put = useSaveSetting(scope)
  const form = useForm<Values>({
    initialValues: saved,
    validateInputOnBlur: true,
    ...(validate && { validate }),
  })
  const { onSubmit, isSending, error } = useSubmit(form, async (values) => {
    await put.mutateAsync({ key: name, value: settingOf?.(values) ?? values })
  })
  return (
    <form noValidate onSubmit={onSubmit}>
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <Stack gap="sm">{(isReadOnly && readings) || children(form, isReadOnly)}</Stack>
        {Preview && <Preview values={form.values} />}
      </SimpleGrid>
      {error !== undefined && <ErrorPanel error={error} isOfForm />}
      {form.isDirty() && (
        <Group mt="sm">
          <Button type="submit" loading={isSending}>
            {t('common.save')}
          </Button>
        </Group>
      )}
    </form>
  )
}

/** Saves a setting, and confirms the save. */
export const useSaveSetting = (scope: SettingScope) => {
  const { t } = useTranslation()
  const notify = useNotify()
  return usePutSetting(scope, () => notify(t('settings.changesSaved')))
}

/** Operators write settings of the installation into files, by key. */
const SettingKey = ({ name }: { name: string }) => (
  <>
    <br />
    <Code>{name}</Code>
  </>
)
