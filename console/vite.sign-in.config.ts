import { defineConfig } from 'vite'
import { at, quiet, shared } from './vite.config.ts'

/**
 * The pages on which people sign in, those of the own account, and the script of the API reference. A build of their own
 * keeps the kit of the console out of them (decision 0122).
 */
export default defineConfig({
  ...shared,
  build: {
    ...shared.build,
    manifest: '.vite/sign-in.json',
    // The console is built before.
    emptyOutDir: false,
    rolldownOptions: {
      ...quiet,
      input: [at('sign-in.html'), at('account.html'), at('src/reference/try-it.ts')],
      output: {
        // Apart from the SDK's client, of which the sign-in would otherwise load all.
        codeSplitting: {
          groups: [
            { name: 'react', test: /node_modules\/(?:react|react-dom|scheduler)\// },
            { name: 'errors', test: /client\/src\/error(?:s|-codes)\.ts/ },
          ],
        },
      },
    },
  },
})
