import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { blocksOf } from '../src/shell/markdown-blocks.ts'

test('a changelog is read from its newest version on, without the marks of Markdown', () => {
  const text = [
    '# Changelog',
    '',
    'About this file.',
    '',
    '## [0.2.0]',
    '',
    '### Added',
    '',
    '**The service.** [its page](docs/x.md)',
    'tells more.',
    '',
    '- `GET /users` answers',
    '  sooner.',
    '- More.',
  ].join('\n')
  expect(blocksOf(text)).toEqual([
    { kind: 'version', text: '0.2.0' },
    { kind: 'part', text: 'Added' },
    { kind: 'text', text: 'The service. its page tells more.' },
    { kind: 'item', text: 'GET /users answers sooner.' },
    { kind: 'item', text: 'More.' },
  ])
})

test('the changelog of the repository has a version and items', () => {
  const changelog = readFileSync(new URL('../../CHANGELOG.md', import.meta.url), 'utf8')
  const kinds = blocksOf(changelog).map(({ kind }) => kind)
  expect(kinds[0]).toBe('version')
  expect(kinds.filter((kind) => kind === 'item').length).toBeGreaterThan(5)
})
