# syntax=docker/dockerfile:1.7
# One image for API, worker and commands; the last stage is what runs. `--target pooler` is pgbouncer.

FROM node:20.20.2-bookworm-slim AS deps
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
# The workspaces run in browsers; the build puts what they need into dist/.
RUN npm ci --omit=dev --workspaces=false

FROM node:20.20.2-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY client/package.json client/
COPY console/package.json console/
RUN npm ci
COPY . .
RUN node bin/build.mjs

FROM debian:13.1-slim AS pooler
RUN apt-get update \
    && apt-get install --yes --no-install-recommends pgbouncer \
    && rm -rf /var/lib/apt/lists/* \
    && install --directory --owner=postgres --group=postgres /run/pooler
COPY docker/pooler.sh /usr/local/bin/pooler
USER postgres
EXPOSE 6432
HEALTHCHECK --interval=10s --timeout=3s CMD ["bash", "-c", "exec 3<>/dev/tcp/127.0.0.1/6432"]
CMD ["pooler"]

FROM node:20.20.2-bookworm-slim AS runtime
ENV NODE_ENV=production \
    MALLOC_MMAP_THRESHOLD_=4194304 \
    WORKFLOW_BUNDLE=/app/dist/workflow-bundle.js \
    PORT=8000
WORKDIR /app
COPY --from=deps /app/node_modules ./node_modules
COPY --from=build /app/dist ./dist
COPY package.json ./
USER node
EXPOSE 8000
# Alive, not ready: a database that is down for a minute is no reason to kill what waits for it.
HEALTHCHECK --interval=10s --timeout=5s --start-period=20s \
    CMD ["node", "dist/bin/healthcheck.js", "http://127.0.0.1:8000/healthz/"]
# Exec form: SIGTERM reaches node itself, which finishes what it has begun.
ENTRYPOINT ["node", "--enable-source-maps"]
CMD ["dist/bin/api.js"]
