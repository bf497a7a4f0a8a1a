import { Button, Code, Group, NativeSelect, Stack, VisuallyHidden } from '@mantine/core'
import type { Application } from '@tenantry/client'
import { useState } from 'react'
import { CopyFailed } from '../../components/copy-text.tsx'
import { useCopy } from '../../components/use-copy.ts'
import { useTranslation } from '../../translation.ts'
import { useIssuer } from './applications.queries.ts'
import { frameworks, frameworksOf, type FrameworkId } from './snippets.ts'

interface SnippetProps {
  application: Pick<Application, 'client_id' | 'kind' | 'redirect_uris'>
  initial?: FrameworkId
}

/** Code for the chosen library, with the values of the application except its secret. */
export const Snippet = ({ application, initial }: SnippetProps) => {
  const { t } = useTranslation()
  const { data: issuer = location.origin } = useIssuer()
  const choices = frameworksOf(application.kind)
  const [chosen, setChosen] = useState(initial)
  const id = chosen ?? choices[0] ?? 'native'
  const { code, redirectUri } = frameworks[id]
  return (
    <Stack gap="xs">
      <NativeSelect
        label={t('applications.library')}
        value={id}
        data={choices.map((one) => ({ value: one, label: frameworks[one].name }))}
        onChange={({ currentTarget: { value } }) => setChosen(choices.find((one) => one === value))}
      />
      <CodeBlock
        label={t('applications.code')}
        text={code({
          issuer,
          clientId: application.client_id,
          redirectUri: application.redirect_uris[0] ?? redirectUri,
        })}
      />
    </Stack>
  )
}

export const CodeBlock = ({ label, text }: { label: string; text: string }) => {
  const { t } = useTranslation()
  const { copying, copy } = useCopy(text, () => undefined)
  return (
    <>
      <Code block className="whole" aria-label={label}>
        {text}
      </Code>
      {copying === 'failed' && <CopyFailed />}
      <VisuallyHidden role="status">{copying === 'done' && t('common.copied')}</VisuallyHidden>
      <Group>
        <Button variant="default" onClick={copy}>
          {t(copying === 'done' ? 'common.copied' : 'applications.copyCode')}
        </Button>
      </Group>
    </>
  )
}
