"""A bot for zulip-run-bot that answers whoever mentions it with their own words."""

from typing import Any, Dict


class EchoHandler:
    def usage(self) -> str:
        return "Mention me, and I repeat what you say."

    def handle_message(self, message: Dict[str, Any], bot_handler: Any) -> None:
        bot_handler.send_reply(message, "echo: " + message["content"])


handler_class = EchoHandler
